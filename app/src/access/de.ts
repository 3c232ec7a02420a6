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
    closed: 'Auf diesem Dienst kann man sich nicht registrieren. Bitten Sie den Betreiber um ein Konto, oder jemanden, der eines hat, um eine Einladung.',
    invited: 'Nehmen Sie die E-Mail-Adresse, die eingeladen wurde: Dann sind Sie Mitglied des Arbeitsbereichs.',
    otherAddress: 'Die Einladung ging an eine andere Adresse.',
  },
  company: {
    or: 'oder mit Ihrem Passwort',
    failures: {
      failed: (company) => `Die Anmeldung mit ${company} hat nicht geklappt oder länger als zehn Minuten gedauert. Versuchen Sie es noch einmal.`,
      cancelled: (company) => `${company} hat Sie nicht angemeldet, oder Sie haben abgebrochen. Versuchen Sie es noch einmal, wenn Sie möchten.`,
      unavailable: (company) => `${company} ist gerade nicht zu erreichen. Versuchen Sie es später noch einmal.`,
      address: () =>
        'Mit Ihrer E-Mail-Adresse gibt es schon ein Konto, und es ist nicht bestätigt, dass beides Ihnen gehört. Melden Sie sich mit Ihrem Passwort an, und verbinden Sie die Anmeldung dann in den Einstellungen.',
      noEmail: (company) => `${company} teilt Ihre E-Mail-Adresse nicht mit, die dieser Dienst braucht. Bitten Sie die Verwaltung von ${company}, sie freizugeben.`,
      closed: () => 'Sie haben hier noch kein Konto, und man kann sich nicht registrieren. Bitten Sie jemanden, der eines hat, Sie einzuladen.',
      group: (company) => `Keine Ihrer Gruppen darf diesen Dienst benutzen. Bitten Sie die Verwaltung von ${company}, Sie in eine aufzunehmen.`,
      suspended: () => 'Der Betreiber dieses Dienstes hat Ihr Konto gesperrt.',
      taken: (company) => `Mit dieser Anmeldung ist schon ein anderes Konto verbunden. Trennen Sie sie zuerst dort, oder wählen Sie bei ${company} eine andere.`,
      proof: (company) => `Nichts ist verbunden: Zuerst müssen Sie nachweisen, dass Sie es sind. Drücken Sie noch einmal auf „${company} verbinden“.`,
      limited: () => 'Das waren zu viele Versuche. Versuchen Sie es in einer Minute noch einmal.',
    },
    addressAlone: (company: string) =>
      `Mit Ihrer E-Mail-Adresse gibt es schon ein Konto, und es ist nicht bestätigt, dass beides Ihnen gehört. Bitten Sie den Betreiber dieses Dienstes um einen Link, der Sie anmeldet, und verbinden Sie ${company} dann in den Einstellungen.`,
  },
  identities: {
    label: 'Verbundene Anmeldungen',
    none: 'Keine ist verbunden.',
    since: (day: string) => `Verbunden seit ${day}`,
    used: (ago: string) => `zuletzt benutzt ${ago}`,
    connect: (company: string) => `${company} verbinden`,
    connected: (company: string) => `${company} ist verbunden: Sie können sich von jetzt an damit anmelden.`,
    remove: 'Trennen',
    removeLabel: (what: string) => `${what} trennen`,
    removeTitle: (provider: string) => `${provider} trennen?`,
    removeText: 'Sie melden sich dann mit Ihrem Passwort an. Stellen Sie sicher, dass Sie es kennen.',
    removeTextAlone: 'Ohne sie können Sie sich nicht anmelden: Dieser Dienst nimmt keine Passwörter.',
    removed: (provider: string) => `${provider} ist getrennt`,
  },
  link: {
    lead: 'Der Betreiber dieses Dienstes hat einen Link gemacht, der Sie anmeldet. Er gilt einmal.',
    submit: 'Mit dem Link anmelden',
    spent: 'Dieser Link ist verbraucht oder zu alt. Bitten Sie den Betreiber dieses Dienstes um einen neuen.',
  },
  proxy: {
    lead: 'Der Server vor diesem Dienst weiß, wer Sie sind.',
    unnamed: 'Der Server vor diesem Dienst hat nicht gesagt, wer Sie sind. Fragen Sie den Betreiber.',
  },
  invitation: {
    gone: 'Diese Einladung wurde schon benutzt, zurückgezogen, oder sie ist zu alt. Haben Sie sie benutzt, sind Sie schon Mitglied. Bitten Sie sonst um eine neue.',
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
