import { fetchOnce } from '../api/client.ts';
import { tagsArguments } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import { useTyped } from '../ui/typed.ts';

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
  const { answer = [], type } = useTyped(async (text: string) => {
    const { data } = await fetchOnce(SUGGESTED, { search: text.trim().slice(0, tagsArguments.search.maxLength) });
    return data?.tags.data.map(({ name }) => name);
  }, TYPING_MS);
  return { names: answer, look: type };
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
