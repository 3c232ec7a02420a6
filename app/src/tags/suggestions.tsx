import { useRef, useState } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { tagsArguments } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';

const SUGGESTED = graphql(`
  query SuggestedTags($search: String!) {
    tags(search: $search, pageSize: 20) {
      data {
        id
        name
      }
    }
  }
`);

const TYPING_MS = 150;

/** Names of the account's tags that contain what was looked for last. Without an answer there are none. */
export function useSuggestions(): { names: string[]; look(text: string): void } {
  const [names, setNames] = useState<string[]>([]);
  const typing = useRef(0);
  function look(text: string) {
    clearTimeout(typing.current);
    typing.current = setTimeout(async () => {
      const { data } = await fetchOnce(SUGGESTED, { search: text.trim().slice(0, tagsArguments.search.maxLength) });
      if (data) setNames(data.tags.data.map(({ name }) => name));
    }, TYPING_MS);
  }
  return { names, look };
}

export const Suggestions = ({ id, names }: { id: string; names: string[] }) => (
  <datalist id={id}>
    {names.map((name) => (
      <option key={name} value={name}>
        {name}
      </option>
    ))}
  </datalist>
);
