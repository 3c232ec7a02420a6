export interface ZoneGroup {
  region: string;
  zones: { id: string; label: string }[];
}

/** All time zones of the browser by their region: `Europe/Zurich` is Zurich in Europe. The rest has no region. */
export function zoneGroups(): ZoneGroup[] {
  const groups = new Map<string, ZoneGroup>();
  for (const id of new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])) {
    const slash = id.indexOf('/');
    const region = slash < 0 ? '' : id.slice(0, slash);
    const label = id.slice(slash + 1).replaceAll('_', ' ').replaceAll('/', ', ');
    const group = groups.get(region) ?? { region, zones: [] };
    group.zones.push({ id, label });
    groups.set(region, group);
  }
  return [...groups.values()];
}
