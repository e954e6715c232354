import { Badge } from "#web/ui/badge.tsx";

export const TrainingBadge = () => <Badge>Обучающие данные</Badge>;
