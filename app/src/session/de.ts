import type en from './en.ts';

export default {
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordHint: 'Mindestens 8 Zeichen. Ein Satz ist gut.',
  stay: 'Auf diesem Gerät angemeldet bleiben',
  signIn: 'Anmelden',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  isOver: 'Ihre Sitzung ist zu Ende',
  lead: 'Melden Sie sich wieder an, und es geht dort weiter. Nichts, was Sie eingegeben haben, ist verloren.',
  leave: 'Lieber gehen',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint: 'Oder einer Ihrer Wiederherstellungscodes.',
  wrongCode: 'Dieser Code ist falsch, oder er wurde schon benutzt.',
  codeTooLate: 'Das hat zu lange gedauert. Geben Sie noch einmal das Passwort ein, und dann einen neuen Code.',
  back: 'Zurück',
  wrongPassword: 'Das ist nicht Ihr Passwort.',
  proof: {
    title: 'Sind Sie es?',
    lead: 'Diese Änderung braucht einen Nachweis, denn Sie haben sich vor längerer Zeit angemeldet. Nichts, was Sie eingegeben haben, ist verloren.',
    submit: 'Weiter',
  },
  unproved: 'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der Mail, die wir Ihnen gesendet haben.',
  sendMail: 'Mail noch einmal senden',
  mailSent: (email: string) => `Eine Mail an ${email} ist unterwegs`,
} satisfies typeof en;
