/** Whether two names are of one tag: as the service compares them. */
export const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The tags that a form says, in the order of its values. */
export const tagsIn = (values: FormData, name: string): string[] =>
  values
    .getAll(name)
    .map((tag) => String(tag).trim())
    .filter((tag) => tag !== '');

/** The tags in an address, between commas, which no name has. */
export const tagsFrom = (text: string): string[] => text.split(',').filter((tag) => tag !== '');
