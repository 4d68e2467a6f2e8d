// zonereeve edge config: writes the configuration of a proxy that asks an edge.
import { resolve } from 'node:path'
import {
  findZone,
  installConfiguration,
  proxyConfiguration,
  PROXIES,
  uncopiedHeaders,
  type EdgeOptions,
  type ProxyName,
} from '@zonereeve/edge'
import { listenerText, oneOf, readEndpoint, readListener, type EdgeFlags } from './edge-command.ts'

/** Nothing that means more than a host in a configuration. */
const HOST = /^[\w.:-]+$/

/** @throws Error naming an invalid option, or with the words of the proxy's checker. */
export async function edgeConfig(
  server: EdgeOptions['server'],
  proxy: string,
  flags: EdgeFlags,
): Promise<void> {
  const kind = requireProxy(proxy)
  const text = (name: string): string | undefined => {
    const value = flags[name]
    return typeof value === 'string' ? value : undefined
  }
  const address = (name: string, read: typeof readListener = readEndpoint): string | undefined => {
    const found = read(text(name), `--${name}`)
    if (found?.port !== undefined && !HOST.test(found.host))
      throw new Error(`--${name} must be an address or a host name with a port; got ${text(name)}`)
    return found && listenerText(found)
  }
  const requireAddress = (name: string, read?: typeof readListener): string => {
    const found = address(name, read)
    if (found === undefined) throw new Error(`--${name} host:port is required`)
    return found
  }
  const zone = text('zone')
  if (zone === undefined) throw new Error('--zone name is required')
  const [output, reload] = [text('output'), text('reload')]
  if (reload !== undefined && output === undefined) throw new Error('--reload needs --output file')
  const options = {
    listen: requireAddress('listen'),
    origin: requireAddress('origin'),
    decisions: requireAddress('decisions', readListener),
    spop: kind === 'haproxy' ? requireAddress('spop', readListener) : '',
    reports: address('reports'),
    undecided: oneOf('--undecided', text('undecided'), ['closed', 'open']),
    ...(await findZone(server, zone)),
  } as const
  for (const name of uncopiedHeaders(kind, options.headers))
    process.stderr.write(
      `${kind} cannot change the header ${name} of responses as rules say (docs/edge.md)\n`,
    )
  if (kind !== 'haproxy' && options.errorPages.length > 0)
    process.stderr.write(`${kind} cannot send the pages of rules for errors of the origin (docs/edge.md)\n`)
  if (output === undefined) {
    const { main, other } = proxyConfiguration(kind, options, `/etc/haproxy/${options.zone}.cfg`)
    process.stdout.write(main)
    if (other !== undefined)
      process.stdout.write(`# The file whose name ends in ${other.suffix}:\n${other.text}`)
    return
  }
  const path = resolve(output)
  const configurationAt = (at: string) => proxyConfiguration(kind, options, at)
  const { isChanged, isReloaded } = await installConfiguration({ proxy: kind, path, configurationAt, reload })
  process.stdout.write(`${path}: ${isChanged ? 'replaced' : 'unchanged'}${isReloaded ? ', reloaded' : ''}\n`)
}

function requireProxy(name: string): ProxyName {
  const proxy = PROXIES.find((one) => one === name)
  if (proxy === undefined) throw new Error(`the proxy must be one of ${PROXIES.join(', ')}; got ${name}`)
  return proxy
}
