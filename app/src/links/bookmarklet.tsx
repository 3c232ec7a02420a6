import { t } from '../i18n/index.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Icon } from '../ui/icons.tsx';

/** A bookmark that brings the page one is on here. It runs there: the policy of this page lets no such address run. */
export function Bookmarklet(_props: { onClose?(): void }) {
  const code = `javascript:void open('${location.origin}/app/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`;
  const { hint, name } = t.linkForms.bookmarklet;
  return (
    <>
      <p class="muted">{hint}</p>
      <div class="form-actions start">
        <a
          class="button plain"
          href="/app/links/new"
          // Preact would warn of such an address.
          ref={(element) => element?.setAttribute('href', code)}
          onClick={(event) => event.preventDefault()}
        >
          <Icon name="link" />
          {name}
        </a>
        <CopyButton text={code} label={t.action.copy} isUnsaid>
          {t.action.copy}
        </CopyButton>
      </div>
    </>
  );
}
