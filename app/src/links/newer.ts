interface Click {
  id: string;
  clickedAt: string;
}

/** The clicks that a list of the newest, of `most` at most, does not have yet. What is older than its last one it left out. */
export function newer<Told extends Click>(told: Told[], listed: Click[], most: number): Told[] {
  const since = listed.length === most ? listed.at(-1)!.clickedAt : '';
  return told.filter((click) => click.clickedAt >= since && !listed.some(({ id }) => id === click.id));
}
