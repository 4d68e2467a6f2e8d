// The page at `/`: links, as HTML for people and as JSON for programs.
const LINKS = { docs: '/docs', openapi: '/openapi.json', ready: '/readyz' } as const

export const HOME_JSON = JSON.stringify({ name: 'zonereeve', api: '/client/v4', ...LINKS })

export const HOME_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zonereeve</title>
<style>
:root{color-scheme:light dark}
body{max-width:40rem;margin:0 auto;padding:2rem 1rem;font:16px/1.55 system-ui,sans-serif;color:CanvasText;background:Canvas}
a{color:LinkText}code{font:.9em ui-monospace,monospace}
</style>
</head>
<body>
<h1>Zonereeve</h1>
<p>A zone control plane and nameserver. The API is at <code>/client/v4</code>.</p>
<ul>
<li><a href="${LINKS.docs}">API page</a>: every operation, its permission and its errors</li>
<li><a href="${LINKS.openapi}">OpenAPI document</a></li>
<li><a href="${LINKS.ready}">Readiness</a></li>
</ul>
</body>
</html>
`

/** Browsers request HTML explicitly; other clients send no Accept header, a wildcard or JSON. */
export const wantsPage = (accept: string | undefined): boolean =>
  accept !== undefined && /\btext\/html\b/i.test(accept)
