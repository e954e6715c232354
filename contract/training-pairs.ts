import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const trainingPairsApi = {
  download: endpoint("GET /api/digital-twins/:id/training-pairs", {
    access: "signed-in",
    summary: "Скачать пары реплик для обучения модели (application/zip), без имён и личных данных",
    params: IdParams,
  }),
};
