import CodeMirror from 'codemirror';
import { GraphiQL } from 'graphiql';
import { Kind, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { createRoot } from 'react-dom/client';
import './theme.css';

// What CodeMirror needs to be used without a mouse or a screen: a name for every
// editor, lines that wrap, long text that can be scrolled with the keys, and Tab
// to leave (it would indent and so trap the keyboard; Ctrl-] and Ctrl-[ indent).
const LABELS = {
  graphql: 'Query',
  'graphql-variables': 'Variables',
  'graphql-results': 'Response',
};
CodeMirror.defineInitHook((editor) => {
  const mode = editor.getOption('mode');
  const label = LABELS[mode?.name ?? mode] ?? 'Request headers';
  editor.setOption('screenReaderLabel', label);
  editor.setOption('lineWrapping', true);
  editor.addKeyMap({ Tab: false, 'Shift-Tab': false });

  const scroller = editor.getScrollerElement();
  scroller.setAttribute('role', 'group');
  scroller.setAttribute('aria-label', `${label} text`);
  const update = () => {
    const { height, clientHeight, width, clientWidth } = editor.getScrollInfo();
    scroller.tabIndex = height > clientHeight || width > clientWidth ? 0 : -1;
  };
  editor.on('update', update);
  new ResizeObserver(update).observe(scroller);
});

const DEFAULT_QUERY = `# Most of the API needs a token. Open "Headers"
# below this editor and put
#
#   {"Authorization": "Bearer <your token>"}
#
# there. The token is forgotten when the page is
# closed, unless "Persist headers" is switched on
# in the settings.
#
# Ctrl-Enter runs the query, Ctrl-Space completes,
# Tab leaves the editor.

{
  __typename
}
`;

const ACCEPT = 'application/graphql-response+json, application/json';

async function post(params, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: JSON.stringify(params),
  });
  if (/[/+]json\b/i.test(response.headers.get('content-type') ?? '')) return response.json();
  // A proxy's error page or a rate limit's plain text: its status instead of a parse error.
  const text = (await response.text()).slice(0, 2000);
  return failure(`HTTP ${response.status} ${response.statusText} ${text}`);
}

const failure = (message) => ({ errors: [{ message: message.trim() }] });

// Made for every subscription that is run, so no socket is open before or after;
// the headers editor's values are the payload of connection_init. The toolkit's
// own fetcher leaves a rejected promise behind for every error, this one does not.
function subscribe(params, headers) {
  const client = createClient({
    url: `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/graphql/ws`,
    connectionParams: headers,
    retryAttempts: 0,
  });
  const results = client.iterate(params);
  return {
    async next() {
      try {
        return await results.next();
      } catch (error) {
        if (Array.isArray(error)) return { done: false, value: { errors: error } };
        const message = error instanceof CloseEvent
          ? `The socket was closed: ${error.code} ${error.reason}`
          : error?.message ?? 'The socket failed.';
        return { done: false, value: failure(message) };
      }
    },
    return: () => results.return(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

// GraphiQL's own idea of the operation is a moment old: after fast typing a
// subscription would be posted, or an operation sent under the last one's name.
function fetcher(params, { headers } = {}) {
  let operations = [];
  try {
    operations = parse(params.query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  } catch {
    // The server says what is wrong.
  }
  const operationName = operations.length === 1 ? operations[0].name?.value : params.operationName;
  const chosen = operations.find(({ name }) => name?.value === (operationName || undefined));
  const send = chosen?.operation === 'subscription' ? subscribe : post;
  return send({ ...params, operationName }, headers);
}

createRoot(document.getElementById('graphiql')).render(
  <GraphiQL fetcher={fetcher} defaultQuery={DEFAULT_QUERY} isHeadersEditorEnabled />,
);
