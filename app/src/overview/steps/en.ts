export default {
  title: 'Three steps, in any order. Once there is a link, its clicks show here.',
  done: 'Done',
  link: { title: 'Make your first link', hint: 'Paste a long address, and get a short one that counts its clicks.', label: 'New link' },
  domain: { title: 'Use a domain of your own', hint: 'Links such as go.example.com/spring: set two DNS records, and we watch until they are there.', label: 'Add a domain' },
  key: { title: 'Make links from your own programs', hint: 'An API key is a password for a program, with the permissions that you give it.', label: 'Create a key' },
};
