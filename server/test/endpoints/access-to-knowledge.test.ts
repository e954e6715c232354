import { conversationCases } from "./cases/conversations.ts";
import { correctionCases } from "./cases/corrections.ts";
import { knowledgeCases } from "./cases/knowledge.ts";
import { twinCases } from "./cases/twins.ts";
import { voiceCases } from "./cases/voices.ts";
import { describeAccess } from "./describe-access.ts";

describeAccess([twinCases, conversationCases, voiceCases, correctionCases, knowledgeCases]);
