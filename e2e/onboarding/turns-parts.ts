// What turns.spec.ts and turns.full.spec.ts share.

export const QUESTIONS = [
  "Где ты обычно покупаешь струны для гитары?",
  "А где ты обычно покупаешь струны для своей гитары?",
];
