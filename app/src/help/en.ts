export default {
  title: 'Help',
  questions: 'Questions',
  click: 'What counts as a click?',
  clickText:
    'Each time that a short link leads somebody on. Statistics leave out known bots, previews and pages that browsers fetch ahead, until you switch “With bots” on. The number beside a link’s name has all of them.',
  visitor: 'What is a visitor?',
  visitorText:
    'One browser at one address of the network, on one day. Nothing is stored in the browser, and the address is not kept: who comes back tomorrow counts again.',
  move: 'How do my links move here?',
  moveText: 'Import a file of your old service. Slugs, titles, tags and click counts stay.',
  toImport: 'Import links',
  domain: 'How do links get a domain of my own?',
  domainText: 'Add it, set two DNS records, and we watch until they are there.',
  toDomains: 'Domains',
  give: 'How do I give links to somebody else?',
  giveText:
    'Select them in the list, or open your domain, and choose “Give to another account…”. You need the id of that account, which is on its page “Members”; there they accept, within 7 days. The links redirect all the time, and keep their clicks.',
  toLinks: 'Links',
  program: 'How do programs make links?',
  programText: 'By the API, with a key. A webhook tells them what happens.',
  toDevelopers: 'Developers',
  documents: 'Documents',
  licences: 'Licences',
  licencesHint: 'Of the software in this application',
  keys: 'Without a mouse',
  keysText: 'Everything here can be done by keyboard, most of it by one key.',
};
