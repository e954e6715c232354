/** Ids of rows of one organisation, one of every kind that an endpoint names. */
export interface Things {
  twinId: string;
  documentId: string;
  documentVersion: string;
  /** A site that could not be read. */
  websiteId: string;
  importId: string;
  /** An upload of which nothing has arrived. */
  uploadId: string;
  sourceId: string;
  /** A chat and a person of that source. */
  chatId: string;
  personId: string;
  conversationId: string;
  integrationId: string;
  /** A personal account whose chats are connected to it. */
  connectionId: string;
  /** A message that it could not read. */
  setAsideId: string;
  /** A contact's conversation there, and an answer that waits in it. */
  talkId: string;
  approvalId: string;
  /** Another answer there, sent a moment ago and still to be taken back. */
  leavingId: string;
  /** What is kept in mind about that contact, and a note of the client's to the conversation. */
  factId: string;
  noteId: string;
  /** A recording in that conversation, with its original. */
  mediaId: string;
  /** A picture that is a document. */
  originalId: string;
  pictureDocumentId: string;
  /** A recording of a message of its history. */
  importedId: string;
  /** A label and a saved reply of the organisation. */
  labelId: string;
  savedReplyId: string;
  /** The twin's answer in that conversation. */
  messageId: string;
  /** What the twin has learnt of a correction of that answer, and how it was then. */
  correctionId: string;
  versionId: string;
  /** A pair of its history, a reply of its owner's that is open to all, and one that he is asked to open. */
  pairId: string;
  openReplyId: string;
  /** The owner's answer to an invented message. */
  sampleId: string;
  proposalId: string;
  /** What another of these replies says of the hours, which he is asked to confirm. */
  chatFactId: string;
  /** A gap, and one of the two questions in it. */
  gapId: string;
  gapQuestionId: string;
  organizationId: string;
  /** A webhook of the twin, and what it was told. */
  webhookId: string;
  deliveryId: string;
  /** A tool of the twin, an act that waits for its owner, and one that nobody knows. */
  toolId: string;
  toolConnectionId: string;
  actId: string;
  unknownActId: string;
  /** The organisation's CRM. */
  crmId: string;
  /** A key of the twin. */
  keyId: string;
  /** Another member of the organisation. */
  memberId: string;
  /** A passkey of the member who made these things, and another session of his. */
  passkeyId: string;
  /** A browser of his that takes push messages. */
  pushDeviceId: string;
  sessionId: string;
  /** An invoice that waits. */
  paymentId: string;
  /** Without an owner: a plan that every organisation may choose. */
  planId: string;
  /** Also without an owner: a model on the server. */
  modelId: string;
}
