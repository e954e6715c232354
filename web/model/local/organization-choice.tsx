import { useRemoteModel } from "#web/model/remote/queries.ts";
import { useChooseModel, useOrganizationModel } from "#web/parts/local-models/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

export function OrganizationChoice() {
  const { user } = useSession();
  const query = useOrganizationModel();
  const choose = useChooseModel();
  const remote = useRemoteModel().data;
  const model = query.data;
  if (model === undefined && query.isError) {
    return (
      <ErrorCard
        title="Не удалось узнать, какая модель отвечает"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const remoteAnswers = remote?.settings?.enabled === true && remote.held === null;
  // Members who install models see the empty list below. Where a remote model answers, an empty group would say nothing.
  if (model?.models.length === 0 && !model.settled && (user?.superAdmin || remoteAnswers)) return null;
  const mayChange = user?.role === "org_admin";
  return (
    <SettingsGroup
      id="organization-model"
      title="Модель на этом сервере"
      description="Переписка и документы никуда не уходят: модель работает здесь же"
    >
      <div className="flex flex-col gap-4 text-md">
        {remoteAnswers && (
          <p>Сейчас отвечает удалённая модель. Модель на этом сервере ответит, когда вы её отключите.</p>
        )}
        {model === undefined ? (
          <Skeleton className="h-16 max-w-md" />
        ) : model.settled ? (
          <p>Модель для всех двойников задана в настройках сервера. Здесь её сменить нельзя.</p>
        ) : model.models.length === 0 ? (
          <p>
            Модели на сервере пока нет: ответы пишет встроенный движок по документам и вашим прежним ответам.
            {!user?.superAdmin && " Установить её может администратор платформы."}
          </p>
        ) : (
          <Field
            label="Кто пишет ответы"
            className="max-w-md"
            hint={
              mayChange
                ? "Действует со следующего ответа; начатые ответы допишет прежняя модель"
                : "Выбрать может администратор организации"
            }
          >
            <Select
              value={model.choice}
              disabled={!mayChange || choose.isPending}
              onChange={(event) => choose.mutate(event.target.value)}
            >
              <option value="default">
                {model.defaultName === null ? "Как у всех: без модели" : `Как у всех: ${model.defaultName}`}
              </option>
              {model.models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              <option value="none">Без модели: встроенный движок</option>
            </Select>
          </Field>
        )}
      </div>
    </SettingsGroup>
  );
}
