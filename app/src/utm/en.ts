import { plural } from '../i18n/plural.ts';

export default {
  hint: 'They are added to the destination, for the analytics programs that are used there.',
  names: { source: 'Source', medium: 'Medium', campaign: 'Campaign', term: 'Term', content: 'Content' },
  hints: {
    source: 'Where visitors come from, such as newsletter.',
    medium: 'How they get the link, such as email.',
    campaign: 'What the link is for, such as spring-sale.',
    term: 'The search term of an advertisement.',
    content: 'Which of several links or texts it is.',
  },
  template: 'Template',
  noTemplate: 'None',
  templates: 'UTM templates',
  preview: 'The destination will be',
  emptyStays: 'Parameters whose field is empty stay as they are.',
  nothing: 'At least one parameter, please.',
  list: {
    label: 'Your UTM templates',
    count: (count: number, formatted: string) => `${formatted} ${plural(count, 'UTM template', 'UTM templates')}`,
    edit: (name: string) => `Edit ${name}`,
    remove: (name: string) => `Delete ${name}`,
    empty: 'Keep UTM parameters ready for many links',
    emptyHint: 'A template fills in the same parameters wherever a link is made or edited.',
    none: 'This page has no templates',
    all: 'Show the first ones',
  },
  create: {
    title: 'New UTM template',
    name: 'Name',
    submit: 'Create the template',
    done: (name: string) => `${name} is created`,
  },
  edit: {
    title: 'Edit the UTM template',
    hint: 'Links that were made with it stay as they are.',
    done: (name: string) => `${name} is saved`,
  },
  remove: {
    title: (name: string) => `Delete the UTM template ${name}?`,
    text: 'Links that were made with it stay as they are. This can’t be undone.',
    confirm: 'Delete the template',
    done: (name: string) => `${name} is deleted`,
  },
};
