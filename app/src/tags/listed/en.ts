import { plural } from '../../i18n/plural.ts';

const links = (count: number, formatted: string) => `${formatted} ${plural(count, 'link', 'links')}`;

export default {
  list: {
    label: 'Your tags',
    count: (count: number, formatted: string) => `${formatted} ${plural(count, 'tag', 'tags')}`,
    search: 'Search tags',
    links: 'Links',
    created: 'Created',
    clicks: (name: string) => `Clicks of ${name}`,
    actions: (name: string) => `Actions for ${name}`,
    empty: 'Group your links by tags',
    emptyHint: 'A link gets tags where it is made or edited. Those that you do not have yet are made then.',
    none: 'No tag matches',
    noneHint: 'Try another word.',
    all: 'Show all tags',
  },
  create: { title: 'New tag', name: 'Name', submit: 'Create the tag', done: (name: string) => `${name} is created` },
  rename: {
    title: 'Rename the tag',
    do: 'Rename',
    hint: 'Its links show the new name at once.',
    done: (name: string) => `The tag is called ${name} now`,
  },
  merge: {
    title: (name: string) => `Merge ${name} into another tag`,
    do: 'Merge into another',
    text: (count: number, formatted: string, name: string) =>
      `${links(count, formatted)} with ${name} ${plural(count, 'gets', 'get')} the other tag in its place. Then ${name} is deleted, which can’t be undone.`,
    into: 'The other tag',
    submit: 'Merge',
    unknown: 'You have no such tag.',
    done: (name: string, into: string) => `${name} is merged into ${into}`,
  },
  remove: {
    title: (name: string) => `Delete the tag ${name}?`,
    text: (count: number, formatted: string) =>
      count === 0
        ? 'No link has it.'
        : `It is taken from ${links(count, formatted)}, which ${plural(count, 'stays', 'stay')} as ${plural(count, 'it is', 'they are')} otherwise. This can’t be undone.`,
    confirm: 'Delete the tag',
    done: (name: string) => `${name} is deleted`,
  },
};
