// Identity providers of the tests: node server.mjs REDIRECT_URI
//
// Prints one line of JSON with the issuers. `mock` (oauth2-mock-server) signs in at once whoever POST /control names, and answers as wrongly as
// that says; `certified` (oidc-provider, certified by the OpenID Foundation) has pages with forms. It ends with its standard input.

import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import { createServer } from "node:http"
import { OAuth2Issuer, OAuth2Service } from "oauth2-mock-server"
import Provider from "oidc-provider"

const [redirectUri] = process.argv.slice(2)
const client = { id: "linkgraph", secret: "the client's secret, of 32 bytes or more" }

const listen = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, "127.0.0.1", () => resolve(server.address().port))
  })

const answer = (response, body, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const read = async (request) => {
  let text = ""
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

// claims: of the ID token; omit: names of claims that it lacks; userinfo: the answer of that endpoint; wrong: what else is wrong
let control = { claims: {}, omit: [], userinfo: undefined, wrong: undefined }

const issuer = new OAuth2Issuer()
await issuer.keys.generate("RS256", { kid: "first" })
const service = new OAuth2Service(issuer)

service.on("beforeTokenSigning", ({ payload }) => {
  // The access token has no audience.
  if (!payload.aud) return
  Object.assign(payload, control.claims)
  for (const name of control.omit ?? []) delete payload[name]
})

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")
const resigned = (token, alg, signature) => {
  const [header, payload] = token.split(".")
  const text = `${encoded({ ...JSON.parse(Buffer.from(header, "base64url")), alg })}.${payload}`
  return `${text}.${signature(text)}`
}
const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
const changes = {
  unsigned: (body) => ({ ...body, id_token: resigned(body.id_token, "none", () => "") }),
  symmetric: (body) => ({
    ...body,
    id_token: resigned(body.id_token, "HS256", (text) => createHmac("sha256", client.secret).update(text).digest("base64url")),
  }),
  forged: (body) => ({
    ...body,
    id_token: resigned(body.id_token, "RS256", (text) => sign("sha256", Buffer.from(text), stranger).toString("base64url")),
  }),
  noIdToken: ({ id_token, ...body }) => body,
  noTokenType: ({ token_type, ...body }) => body,
}

service.on("beforeResponse", (response) => {
  if (changes[control.wrong]) response.body = changes[control.wrong](response.body)
  if (control.wrong === "refused") Object.assign(response, { statusCode: 400, body: { error: "invalid_grant" } })
  if (control.wrong === "failing") Object.assign(response, { statusCode: 500, body: "<html>" })
})
service.on("beforeUserinfo", (response) => {
  response.body = control.userinfo ?? { sub: control.claims.sub }
})
service.on("beforeAuthorizeRedirect", ({ url }) => {
  if (control.wrong === "denied") url.searchParams.delete("code")
  if (control.wrong === "denied") url.searchParams.set("error", "access_denied")
  if (control.wrong === "state") url.searchParams.set("state", "another")
  if (control.wrong === "issuer") url.searchParams.set("iss", "https://evil.example")
})

const mock = await listen(async (request, response) => {
  const { pathname } = new URL(request.url, issuer.url)
  if (pathname === "/control") {
    control = await read(request)
    if (control.wrong === "rotated") await issuer.keys.generate("RS256", { kid: `key ${Math.random()}` })
    return answer(response, {})
  }
  const at = (path, wrong) => pathname === path && control.wrong === wrong
  const discovery = "/.well-known/openid-configuration"
  if (control.wrong === "down") return request.socket.destroy()
  if (at(discovery, "anotherIssuer")) return answer(response, { issuer: "https://evil.example" })
  if (at(discovery, "noDocument")) return response.end("<html>")
  if (at("/jwks", "noKeys")) return answer(response, { keys: [] })
  if (at("/token", "tooLong")) return response.end("x".repeat(4 * 1024 * 1024))
  if (at("/token", "elsewhere")) return response.writeHead(302, { location: `${issuer.url}/token` }).end()
  if (at("/token", "silent")) return
  service.requestHandler(request, response)
})
issuer.url = `http://localhost:${mock}`

// Its handler comes after its address is known.
let handler
const certified = await listen((request, response) => handler(request, response))
const provider = new Provider(`http://localhost:${certified}`, {
  clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
  scopes: ["openid", "email", "profile", "groups"],
  cookies: { keys: ["a secret of the tests"] },
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, name: `The ${sub}`, groups: ["staff"] }),
  }),
})
handler = provider.callback()

process.stdin.on("end", () => process.exit()).resume()
// Nobody reads more than the line.
process.stdout.on("error", () => {})
console.log(JSON.stringify({ mock: issuer.url, certified: provider.issuer, ...client }))
