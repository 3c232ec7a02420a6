import { useId, useMemo } from 'preact/hooks';
import { unreachable } from '../api/problem.ts';
import { browserZone, zone } from '../i18n/format.ts';
import { chooseLocale, type Locale, locale, LOCALES, t } from '../i18n/index.ts';
import { shortcuts } from '../shell/keys.ts';
import { theme, THEME_ICONS, THEMES } from '../shell/theme.ts';
import { Segments } from '../ui/segments.tsx';
import { Switch } from '../ui/switch.tsx';
import { complain } from '../ui/toast.tsx';
import { Section } from './section.tsx';
import { zoneGroups } from './zones.ts';

function ZoneField() {
  const words = t.settings.appearance;
  const id = useId();
  const groups = useMemo(zoneGroups, []);
  return (
    <div class="field">
      <label for={id}>{words.zone}</label>
      <select id={id} name="zone" aria-describedby={`${id}-hint`} value={zone.value} onChange={(event) => (zone.value = event.currentTarget.value)}>
        <option value="">{words.browserZone(browserZone())}</option>
        {groups.map(({ region, zones }) => (
          <optgroup key={region} label={region || words.otherZones}>
            {zones.map(({ id: each, label }) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <p class="hint" id={`${id}-hint`}>
        {words.zoneHint}
      </p>
    </div>
  );
}

/** The page is made anew in the other language; the focus goes back to where it was. */
async function speak(next: Locale) {
  await chooseLocale(next);
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name=locale][value=${next}]`)?.focus());
}

export function Appearance() {
  const words = t.settings.appearance;
  return (
    <Section title={words.title} hint={words.hint}>
      <div class="field">
        <p class="field-title">{words.theme}</p>
        <Segments
          label={words.theme}
          name="theme"
          value={theme.value}
          onChange={(next) => (theme.value = next)}
          options={THEMES.map((value) => ({ value, label: t.shell.themes[value], icon: THEME_ICONS[value] }))}
        />
      </div>
      <div class="field">
        <p class="field-title">{words.language}</p>
        <Segments
          label={words.language}
          name="locale"
          value={locale.value}
          onChange={(next) => void speak(next).catch(() => complain(unreachable()))}
          options={LOCALES.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <ZoneField />
      <div class="setting">
        <div>
          <p class="field-title">{words.shortcuts}</p>
          <p class="hint">
            {words.shortcutsHint} {shortcuts.value === 'on' && words.showShortcuts}
          </p>
        </div>
        <Switch
          label={words.shortcuts}
          isOn={shortcuts.value === 'on'}
          onChange={async (isOn) => {
            shortcuts.value = isOn ? 'on' : 'off';
            return true;
          }}
        />
      </div>
    </Section>
  );
}
