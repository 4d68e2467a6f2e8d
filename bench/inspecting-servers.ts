// nginx with ModSecurity 3 and Apache with ModSecurity 2.9, each with Debian's Core Rule Set and once without it: what a
// request costs the whole server. Each passes requests on to an origin in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@zonereeve/platform/testing/free-port.ts'
import { ruleFiles, rulesSettings } from './libmodsecurity.ts'

const NGINX_MODULE = '/usr/lib/nginx/modules/ngx_http_modsecurity_module.so'
const APACHE_MODULES = '/usr/lib/apache2/modules'
const START_LIMIT_MS = 30_000

export interface InspectingServer {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** What is missing, as Debian packages; empty if nothing is. */
export function missingServers(): string {
  const missing = [
    [NGINX_MODULE, 'nginx-light libnginx-mod-http-modsecurity'],
    [join(APACHE_MODULES, 'mod_security2.so'), 'apache2-bin libapache2-mod-security2'],
  ].filter(([path]) => !existsSync(String(path)))
  return missing.map(([, packages]) => packages).join(' ')
}

/** @param level the paranoia level */
export async function startInspectingServers(
  folder: string,
  level: number,
): Promise<readonly InspectingServer[]> {
  const origin = createServer((received, reply) => {
    received.resume()
    received.on('end', () => reply.end('ok'))
  })
  origin.keepAliveTimeout = 60_000
  origin.listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const address = origin.address()
  const originPort = typeof address === 'object' && address !== null ? address.port : 0
  const rules = join(folder, 'rules.conf')
  writeFileSync(
    rules,
    `${rulesSettings(level)}\n${ruleFiles()
      .map((path) => `Include ${path}\n`)
      .join('')}`,
  )
  const servers: InspectingServer[] = []
  for (const withRules of [false, true]) {
    servers.push(await startNginx(folder, originPort, withRules ? rules : undefined))
    servers.push(await startApache(folder, originPort, withRules ? rules : undefined))
  }
  const [first] = servers
  if (first === undefined) return []
  return [
    ...servers.slice(1),
    {
      ...first,
      async stop() {
        await first.stop()
        origin.closeAllConnections()
        origin.close()
      },
    },
  ]
}

async function startNginx(
  folder: string,
  origin: number,
  rules: string | undefined,
): Promise<InspectingServer> {
  const port = await freePort()
  const home = join(folder, rules === undefined ? 'nginx' : 'nginx-rules')
  mkdirSync(home)
  const configuration = join(home, 'nginx.conf')
  writeFileSync(
    configuration,
    `load_module ${NGINX_MODULE};
daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log crit; user root;
events {}
http {
  access_log off; client_body_temp_path ${home}/body; proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/f; uwsgi_temp_path ${home}/u; scgi_temp_path ${home}/s;
  upstream origin { server 127.0.0.1:${origin}; keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    ${rules === undefined ? '' : `modsecurity on; modsecurity_rules_file ${rules};`}
    location / { proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass http://origin; }
  }
}
`,
  )
  const child = spawn('nginx', ['-p', home, '-c', configuration, '-e', join(home, 'error.log')], {
    stdio: 'inherit',
  })
  return ready(`nginx${rules === undefined ? '' : ' + ModSecurity 3'}`, child, port)
}

async function startApache(
  folder: string,
  origin: number,
  rules: string | undefined,
): Promise<InspectingServer> {
  const port = await freePort()
  const home = join(folder, rules === undefined ? 'apache' : 'apache-rules')
  mkdirSync(home)
  const modules = [
    'mpm_event',
    'authz_core',
    'unique_id',
    'proxy',
    'proxy_http',
    ...(rules === undefined ? [] : ['security2']),
  ]
  const configuration = join(home, 'apache.conf')
  writeFileSync(
    configuration,
    `ServerRoot ${home}
${modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`).join('\n')}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${home}/pid
ErrorLog ${home}/error.log
LogLevel crit
Mutex file:${home}
StartServers 1
ServerLimit 1
MaxRequestWorkers 25
MaxKeepAliveRequests 0
${rules === undefined ? '' : `SecDataDir ${home}\nSecTmpDir ${home}\nInclude ${rules}`}
ProxyPass / http://127.0.0.1:${origin}/ keepalive=On
`,
  )
  const child = spawn('apache2', ['-D', 'FOREGROUND', '-f', configuration], { stdio: 'inherit' })
  return ready(`Apache${rules === undefined ? '' : ' + ModSecurity 2.9'}`, child, port)
}

async function ready(name: string, child: ChildProcess, port: number): Promise<InspectingServer> {
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  const { pid } = child
  const deadline = performance.now() + START_LIMIT_MS
  while (!(await accepts(port))) {
    if (failure !== undefined || child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${name} does not start`, { cause: failure })
    await sleep(100)
  }
  if (pid === undefined) throw new Error(`${name} does not start`)
  return {
    name,
    port,
    pid,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
