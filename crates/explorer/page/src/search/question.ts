// The question of a search as the rest of a sentence.

/** The server says it in full, or only what is to be got. */
export function asked(question: string | null, asker: string): string {
  if (!question) return `what can ${asker} get?`;
  return /^can /i.test(question) ? `c${question.slice(1)}` : `can ${asker} get ${question}`;
}
