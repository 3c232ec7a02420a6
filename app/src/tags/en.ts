export default {
  title: 'Tags',
  tag: 'Tag',
  field: {
    hint: 'Words that group your links. Enter or a comma adds one.',
    add: 'Add tags',
    take: 'Take tags away',
    remove: (name: string) => `Take away ${name}`,
    added: (name: string) => `${name} is added`,
    removed: (name: string) => `${name} is taken away`,
    filterHint: 'Links that have all of them. Enter or a comma adds one.',
  },
};
