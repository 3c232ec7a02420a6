/** `one` for 1, else `other`: the rule of English and German. */
export const plural = (count: number, one: string, other: string): string => (count === 1 ? one : other);
