export default {
  topLinks: 'Top links',
  offered: 'Another account offers you links or a domain: look at the offer',
  emptyHint: 'Share a link, and its clicks show here.',
};
