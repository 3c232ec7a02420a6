export const UTM_NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmName = (typeof UTM_NAMES)[number];
export type UtmValues = Partial<Record<UtmName, string>>;
