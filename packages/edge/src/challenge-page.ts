// The page of a challenge. It works without anything from elsewhere, and says what it does.
import { randomBytes } from 'node:crypto'
import { CHALLENGE_PATH, type OfferedChallenge } from './challenge.ts'

export interface ChallengePage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const NONCE_BYTES = 16

/** Hashes in batches, so that the page stays responsive. */
const SCRIPT = `
const status = document.getElementById('status')
const begin = document.getElementById('begin')
const zeros = (hash) => {
  let count = 0
  for (const octet of hash) {
    count += Math.clz32(octet) - 24
    if (octet !== 0) break
  }
  return count
}
async function solve({ token, bits, path }) {
  if (!navigator.cookieEnabled) return void (status.textContent = 'This check needs cookies. Please allow them for this site, and reload the page.')
  if (!crypto.subtle) return void (status.textContent = 'This check needs an encrypted connection (https).')
  status.textContent = 'Checking your browser. This takes a few seconds.'
  const encoder = new TextEncoder()
  for (let start = 0; ; start += 256) {
    const hashes = await Promise.all(Array.from({ length: 256 }, (_, i) => crypto.subtle.digest('SHA-256', encoder.encode(token + '.' + (start + i)))))
    const found = hashes.findIndex((hash) => zeros(new Uint8Array(hash)) >= bits)
    if (found === -1) continue
    status.textContent = 'Done. The page opens now.'
    const query = new URLSearchParams({ t: token, n: String(start + found), to: location.pathname + location.search })
    return void location.replace(path + '?' + query)
  }
}
const challenge = JSON.parse(document.getElementById('challenge').textContent)
if (challenge.isInteractive) {
  begin.hidden = false
  begin.addEventListener('click', () => { begin.disabled = true; solve(challenge) })
} else solve(challenge)
`

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 15vh auto 0; padding: 0 1.25rem }
h1 { font-size: 1.5rem }
button { font: inherit; padding: .5rem 1rem; min-height: 2.75rem }
code { overflow-wrap: anywhere }
`

/** @param rayId shown to the reader. */
export function challengePage(
  { token, difficultyBits, isInteractive }: OfferedChallenge,
  rayId: string,
): ChallengePage {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  // Neither has a character that could end the element: identifiers, digits and base64url.
  const challenge = JSON.stringify({ token, bits: difficultyBits, path: CHALLENGE_PATH, isInteractive })
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>One moment</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body>
<main>
<h1>One moment</h1>
<p id="status" role="status">This site checks that it is visited by a browser.</p>
<p><button id="begin" type="button" hidden>Continue</button></p>
<noscript><p>This check needs JavaScript. Please turn it on for this site, and reload the page.</p></noscript>
<p>Number of this request: <code>${rayId}</code></p>
</main>
<script type="application/json" id="challenge" nonce="${nonce}">${challenge}</script>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`,
  }
}
