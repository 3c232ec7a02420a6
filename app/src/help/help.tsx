import { useState } from 'preact/hooks';
import { ApiTools, Tool } from '../developers/tools.tsx';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';

const KeyHelp = onDemand(() => import('../shell/dialogs.ts'), (dialogs) => dialogs.KeyHelp, 'keys');

interface AnswerProps {
  question: string;
  text: string;
  /** Where it can be done. */
  href?: string;
  label?: string;
}

function Answer({ question, text, href, label }: AnswerProps) {
  return (
    <div>
      <dt>{question}</dt>
      <dd>
        {text} {href && <a href={href}>{label}</a>}
      </dd>
    </div>
  );
}

export default function Help() {
  const words = t.help;
  useTitle(words.title);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <header class="page-head">
        <h1>{words.title}</h1>
      </header>
      <section class="card help-part">
        <h2>{words.questions}</h2>
        <dl class="answers">
          <Answer question={words.click} text={words.clickText} />
          <Answer question={words.visitor} text={words.visitorText} />
          <Answer question={words.move} text={words.moveText} href="/app/links/import" label={words.toImport} />
          <Answer question={words.domain} text={words.domainText} href="/app/domains" label={words.toDomains} />
          <Answer question={words.give} text={words.giveText} href="/app/links" label={words.toLinks} />
          <Answer question={words.program} text={words.programText} href="/app/developers" label={words.toDevelopers} />
        </dl>
      </section>
      <section class="card help-part">
        <h2>{words.keys}</h2>
        <p>{words.keysText}</p>
        <div>
          <Button icon="keyboard" onClick={() => setOpen(true)}>
            {t.shell.shortcuts}
          </Button>
        </div>
      </section>
      <section class="help-part">
        <h2>{words.documents}</h2>
        <div class="tools">
          <ApiTools />
          <Tool href="/app/LICENSES.txt" icon="notes" name={words.licences} hint={words.licencesHint} />
        </div>
      </section>
      {isOpen && <KeyHelp onClose={() => setOpen(false)} />}
    </>
  );
}
