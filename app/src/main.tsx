import { render } from 'preact';
import { Provider } from '@urql/preact';
import { client } from './api/client.ts';
import { startLocale } from './i18n/index.ts';
import { start } from './session/session.ts';
import { App, preload } from './shell/app.tsx';

preload(location.pathname);
void Promise.all([startLocale(), start()]).then(() =>
  render(
    <Provider value={client}>
      <App />
    </Provider>,
    document.getElementById('app')!,
  ),
);
