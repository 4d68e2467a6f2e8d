// The members that the files in deploy/ may have, with their types, as far as these files use them: of the Kubernetes API
// (v1, apps/v1, policy/v1) and of the Compose specification. Both programs pass over or refuse what they do not know.

/** A type, a list of allowed values or patterns, a list's items, members by name, or any members of one shape. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | RegExp
  | readonly [Shape]
  | { readonly [member: string]: Shape }
  | AnyOf
  | MapOf

class AnyOf {
  readonly shapes: readonly Shape[]
  constructor(...shapes: readonly Shape[]) {
    this.shapes = shapes
  }
}

class MapOf {
  readonly shape: Shape
  constructor(shape: Shape) {
    this.shape = shape
  }
}

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const LABELS = new MapOf('string')
const PROTOCOL = /^(TCP|UDP|SCTP)$/
const SELECTOR = { matchLabels: LABELS }
const METADATA = { name: NAME }
const PROBE = {
  httpGet: { path: /^\//, port: NAME },
  periodSeconds: 'number',
  failureThreshold: 'number',
} as const
const QUANTITY = /^\d+(m|Ki|Mi|Gi)?$/

const CONTAINER = {
  name: NAME,
  image: 'string',
  ports: [{ name: NAME, containerPort: 'number', protocol: PROTOCOL }],
  env: [
    {
      name: /^[A-Z_]+$/,
      value: 'string',
      valueFrom: { fieldRef: { fieldPath: 'string' }, secretKeyRef: { name: NAME, key: 'string' } },
    },
  ],
  startupProbe: PROBE,
  readinessProbe: PROBE,
  livenessProbe: PROBE,
  resources: { requests: { cpu: QUANTITY, memory: QUANTITY } },
  securityContext: { allowPrivilegeEscalation: 'boolean', capabilities: { drop: ['string'] } },
  volumeMounts: [{ name: NAME, mountPath: /^\// }],
} as const

const POD = {
  terminationGracePeriodSeconds: 'number',
  enableServiceLinks: 'boolean',
  securityContext: { runAsNonRoot: 'boolean', runAsUser: 'number', runAsGroup: 'number', fsGroup: 'number' },
  topologySpreadConstraints: [
    {
      maxSkew: 'number',
      topologyKey: 'string',
      whenUnsatisfiable: /^(DoNotSchedule|ScheduleAnyway)$/,
      labelSelector: SELECTOR,
    },
  ],
  containers: [CONTAINER],
  volumes: [{ name: NAME, emptyDir: {} }],
} as const

/** By kind. */
export const MANIFESTS: Readonly<Record<string, Shape>> = {
  Service: {
    apiVersion: /^v1$/,
    kind: /^Service$/,
    metadata: METADATA,
    spec: {
      type: /^(ClusterIP|NodePort|LoadBalancer)$/,
      clusterIP: /^None$/,
      publishNotReadyAddresses: 'boolean',
      externalTrafficPolicy: /^(Local|Cluster)$/,
      selector: LABELS,
      ports: [{ name: NAME, protocol: PROTOCOL, port: 'number', targetPort: 'number' }],
    },
  },
  PodDisruptionBudget: {
    apiVersion: /^policy\/v1$/,
    kind: /^PodDisruptionBudget$/,
    metadata: METADATA,
    spec: { maxUnavailable: 'number', selector: SELECTOR },
  },
  StatefulSet: {
    apiVersion: /^apps\/v1$/,
    kind: /^StatefulSet$/,
    metadata: METADATA,
    spec: {
      serviceName: NAME,
      replicas: 'number',
      podManagementPolicy: /^(OrderedReady|Parallel)$/,
      selector: SELECTOR,
      template: { metadata: { labels: LABELS }, spec: POD },
    },
  },
}

const DURATION = /^\d+(ms|s|m|h)$/
const PORT = new AnyOf(/^\d+:\d+(\/(tcp|udp))?$/)

const SERVICE = {
  image: 'string',
  restart: /^(no|always|on-failure|unless-stopped)$/,
  command: new AnyOf('string', ['string']),
  depends_on: new AnyOf(
    ['string'],
    new MapOf({ condition: /^service_(started|healthy|completed_successfully)$/ }),
  ),
  stop_grace_period: DURATION,
  environment: new MapOf(new AnyOf('string', 'number', 'boolean')),
  volumes: [/^[\w./-]+:\/[\w./-]+(:ro)?$/],
  healthcheck: { test: ['string'], interval: DURATION, retries: 'number', disable: 'boolean' },
  networks: new MapOf({ ipv4_address: /^[\d.]+$/ }),
  ports: [PORT],
  configs: [{ source: 'string', target: /^\// }],
} as const

export const COMPOSE: Shape = {
  name: NAME,
  'x-node': SERVICE,
  'x-settings': new MapOf('string'),
  services: new MapOf(SERVICE),
  networks: new MapOf({ ipam: { config: [{ subnet: /^[\d.]+\/\d+$/ }] } }),
  configs: new MapOf({ content: 'string' }),
  volumes: new MapOf('string'),
}

/** @returns places whose member is unknown, or whose value is of another type. */
export function misshapen(value: unknown, shape: Shape, place = ''): readonly string[] {
  if (shape instanceof AnyOf) {
    const all = shape.shapes.map((one) => misshapen(value, one, place))
    return all.some((places) => places.length === 0) ? [] : (all[0] ?? []) // there is one
  }
  if (typeof shape === 'string') return typeof value === shape ? [] : [place]
  if (shape instanceof RegExp) return typeof value === 'string' && shape.test(value) ? [] : [place]
  if (Array.isArray(shape)) {
    const [item] = shape as readonly [Shape]
    return Array.isArray(value)
      ? value.flatMap((one, at) => misshapen(one, item, `${place}[${at}]`))
      : [place]
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [place]
  const members = shape as { readonly [member: string]: Shape }
  return Object.entries(value).flatMap(([name, one]) => {
    const own =
      shape instanceof MapOf ? shape.shape : Object.hasOwn(members, name) ? members[name] : undefined
    const at = `${place}.${name}`
    // Named volumes have no value.
    if (one === null && shape instanceof MapOf) return []
    return own === undefined ? [at] : misshapen(one, own, at)
  })
}
