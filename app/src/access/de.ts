import type en from './en.ts';

export default {
  newPassword: 'Neues Passwort',
  login: {
    title: 'Anmelden',
    toRegister: 'Konto anlegen',
    toForgot: 'Passwort vergessen?',
  },
  register: {
    title: 'Konto anlegen',
    submit: 'Konto anlegen',
    hasAccount: 'Sie haben schon eines?',
    closed: 'Auf diesem Dienst kann man sich nicht registrieren. Bitten Sie den Betreiber um ein Konto.',
  },
  forgot: {
    title: 'Passwort vergessen?',
    lead: 'Wir senden Ihnen eine Mail mit einem Link, der ein neues setzt.',
    submit: 'Mail senden',
    sent: (email: string) => `Wenn ${email} ein Konto hat, ist eine Mail unterwegs. Ihr Link gilt einmal und 30 Minuten lang.`,
    toLogin: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort setzen',
    submit: 'Passwort setzen',
    revoke: 'Auch alle API-Schlüssel des Kontos widerrufen',
    revokeHint:
      'Anbindungen stehen still, bis sie neue haben. Wählen Sie das, wenn jemand anders das Passwort gekannt haben kann.',
    done: 'Ihr neues Passwort gilt. Alle anderen Sitzungen sind beendet.',
    noToken: 'Der Adresse dieser Seite fehlt das Token aus der Mail. Öffnen Sie den Link noch einmal, oder fordern Sie eine neue an.',
    spent: 'Dieser Link ist verbraucht oder zu alt. Fordern Sie eine neue Mail an.',
    again: 'Neue Mail anfordern',
  },
  verify: {
    title: 'E-Mail-Adresse bestätigen',
    done: 'Ihre E-Mail-Adresse ist bestätigt. Mit ihr melden Sie sich an.',
    spent: 'Dieser Link ist verbraucht oder zu alt. Ist Ihre Adresse noch nicht bestätigt, senden Ihnen die Einstellungen noch eine Mail.',
    taken: 'Diese Adresse hat inzwischen ein anderes Konto. Sie melden sich mit der an, die Sie hatten.',
    toSettings: 'Zu den Einstellungen',
  },
  undo: {
    title: 'Alte E-Mail-Adresse zurückholen',
    lead: 'Die E-Mail-Adresse Ihres Kontos wurde geändert. Waren Sie das nicht, holen Sie die alte zurück:',
    effects: [
      'Sie melden sich wieder mit der alten Adresse an.',
      'Alle werden von Ihrem Konto abgemeldet.',
      'Wir senden Ihnen eine Mail, mit der Sie ein neues Passwort wählen.',
      'Eine Authenticator-App, die seither eingerichtet wurde, ist ausgeschaltet.',
    ],
    submit: 'Zurückholen',
    done: 'Sie haben die alte Adresse wieder, und alle sind abgemeldet. Eine Mail, mit der Sie ein neues Passwort wählen, ist an sie unterwegs.',
    spent: 'Dieser Link ist verbraucht oder zu alt.',
  },
  setup: {
    title: 'Willkommen bei linkgraph',
    lead: 'Der Dienst läuft. Legen Sie das erste Konto an, und dann den ersten Link.',
    baseUrlRight: (url: string) => `Kurz-URLs beginnen mit ${url}`,
    baseUrlWrong: (opened: string, known: string) =>
      `Sie haben ${opened} geöffnet, der Dienst hält sich aber für ${known}. Kurz-URLs würden dorthin führen. Setzen Sie LINKGRAPH_BASE_URL und starten Sie ihn neu.`,
    mailRight: 'Mails werden versandt; Passwörter lassen sich also zurücksetzen.',
    mailWrong: 'Mail ist nicht eingerichtet; ein vergessenes Passwort lässt sich nicht zurücksetzen. Setzen Sie LINKGRAPH_SMTP_URL.',
    check: 'Prüfungen',
  },
} satisfies typeof en;
