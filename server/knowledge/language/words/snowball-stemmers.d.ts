declare module "snowball-stemmers" {
  const snowball: { newStemmer(language: "russian" | "english"): { stem(word: string): string } };
  export default snowball;
}
