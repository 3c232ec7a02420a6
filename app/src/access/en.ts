export default {
  newPassword: 'New password',
  login: {
    title: 'Sign in',
    toRegister: 'Create an account',
    toForgot: 'Forgot your password?',
  },
  register: {
    title: 'Create an account',
    submit: 'Create the account',
    hasAccount: 'You have one already?',
    closed: 'Registration is closed on this service. Ask its operator for an account.',
  },
  forgot: {
    title: 'Forgot your password?',
    lead: 'We send you a mail with a link that sets a new one.',
    submit: 'Send the mail',
    sent: (email: string) => `If ${email} has an account, a mail is on its way. Its link works once, for 30 minutes.`,
    toLogin: 'Back to sign in',
  },
  reset: {
    title: 'Set a new password',
    submit: 'Set the password',
    revoke: 'Also revoke all API keys of the account',
    revokeHint: 'Integrations stop until they have new ones. Tick this if somebody else may have known the password.',
    done: 'Your new password is set. All other sessions have ended.',
    noToken: 'The address of this page lacks the token from the mail. Open the link in the mail again, or ask for another.',
    spent: 'This link is used or too old. Ask for another mail.',
    again: 'Send another mail',
  },
  setup: {
    title: 'Welcome to linkgraph',
    lead: 'The service runs. Create the first account, and then the first link.',
    baseUrlRight: (url: string) => `Short links begin with ${url}`,
    baseUrlWrong: (opened: string, known: string) =>
      `You opened ${opened}, but the service thinks it is ${known}. Short links would lead there. Set LINKGRAPH_BASE_URL and restart it.`,
    mailRight: 'Mails are sent, so passwords can be reset.',
    mailWrong: 'Mail is not set up, so a forgotten password can’t be reset. Set LINKGRAPH_SMTP_URL.',
    check: 'Checks',
  },
};
