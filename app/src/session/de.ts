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
  codeTooLate: 'Das hat zu lange gedauert. Melden Sie sich noch einmal an, und geben Sie dann einen neuen Code ein.',
  back: 'Zurück',
  wrongPassword: 'Das ist nicht Ihr Passwort.',
  proof: {
    title: 'Sind Sie es?',
    lead: 'Diese Änderung braucht einen Nachweis, denn Sie haben sich vor längerer Zeit angemeldet.',
    kept: 'Nichts, was Sie eingegeben haben, ist verloren.',
    submit: 'Weiter',
  },
  company: {
    signIn: (company: string) => `Mit ${company} anmelden`,
    again: (company: string) => `Noch einmal mit ${company} anmelden`,
    notAgain: (company: string) => `${company} hat nicht bestätigt, dass Sie es sind. Versuchen Sie es noch einmal, und melden Sie sich dort selbst an.`,
    leaves: 'Dafür verlassen Sie diese Seite: Was Sie hier eingegeben haben, geht verloren.',
  },
  unproved: 'Ihre E-Mail-Adresse ist noch nicht bestätigt. Öffnen Sie den Link in der Mail, die wir Ihnen gesendet haben.',
  sendMail: 'Mail noch einmal senden',
  mailSent: (email: string) => `Eine Mail an ${email} ist unterwegs`,
} satisfies typeof en;
