import { accessToken, isStale, renew } from '../session/session.ts';

/** Requests a path of the service with the token, which a plain link could not carry; once more with another one, if it is refused. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const send = () => fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${accessToken()}` } });
  if (isStale()) await renew();
  const response = await send();
  if (response.status !== 401) return response;
  await renew();
  return send();
}
