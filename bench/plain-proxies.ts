// The proxies of an edge without it, as `zonereeve edge config` sets them up otherwise, and an origin that costs little.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Proxy, spawnProxy, untilListening } from '../acceptance/edge-proxies.ts'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'

export interface PlainProxy {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

const CONFIGURATIONS: Readonly<Record<Proxy, (port: number, origin: number) => string>> = {
  nginx: (port, origin) => `upstream plain_origin {
    server 127.0.0.1:${origin};
}
map $http_upgrade $plain_connection {
    default upgrade;
    '' '';
}
server {
    listen 127.0.0.1:${port};
    location / {
        proxy_pass http://plain_origin;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $plain_connection;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_buffering off;
        proxy_request_buffering off;
        proxy_read_timeout 1h;
    }
}
`,
  haproxy: (port, origin) => `global
    tune.bufsize 65536
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    timeout http-request 10s
frontend plain-site
    bind 127.0.0.1:${port}
    option http-no-delay
    http-request set-header x-forwarded-for %[src]
    http-request set-header x-forwarded-proto %[ssl_fc,iif(https,http)]
    default_backend plain-origin
backend plain-origin
    option http-no-delay
    timeout server 1h
    server origin 127.0.0.1:${origin}
`,
  caddy: (port, origin) => `http://:${port} {
    bind 127.0.0.1
    reverse_proxy 127.0.0.1:${origin} {
        flush_interval -1
    }
}
`,
}

export async function startPlainProxy(proxy: Proxy, origin: number, parent: string): Promise<PlainProxy> {
  const folder = join(parent, `plain-${proxy}`)
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, proxy)
  writeFileSync(file, CONFIGURATIONS[proxy](port, origin))
  const child = spawnProxy(proxy, file, folder)
  await untilListening(proxy, port)
  return running(child, port)
}

/** Answers every request with a few octets. */
export async function startOrigin(folder: string): Promise<PlainProxy> {
  const port = await freePort()
  const file = join(folder, 'origin.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/origin-${name};`,
  )
  writeFileSync(
    file,
    `daemon off; pid ${folder}/origin.pid; events {}
http {
  access_log off; keepalive_requests 1000000; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; location / { default_type text/plain; return 200 "the page of the origin\\n"; } }
}
`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', join(folder, 'origin.log')], {
    stdio: 'ignore',
  })
  await untilListening('nginx', port)
  return running(child, port)
}

function running(child: ChildProcess, port: number): PlainProxy {
  const { pid } = child
  if (pid === undefined) throw new Error('the proxy does not start')
  return {
    port,
    pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Agents of a process of their own that decide nothing, for both protocols. */
export async function startIdleAgents() {
  const program = fileURLToPath(new URL('idle-agents.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const ports = JSON.parse(line.toString()) as { readonly decisions: number; readonly spop: number } // it writes them so
  return { ports, ...running(child, ports.decisions) }
}
