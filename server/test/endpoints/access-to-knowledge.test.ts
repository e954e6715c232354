import { conversationCases } from "./cases/conversations.ts";
import { correctionCases } from "./cases/corrections.ts";
import { knowledgeCases } from "./cases/knowledge.ts";
import { trainingPairsCases } from "./cases/training-pairs.ts";
import { twinCases } from "./cases/twins.ts";
import { describeAccess } from "./describe-access.ts";

describeAccess([twinCases, conversationCases, trainingPairsCases, correctionCases, knowledgeCases]);
