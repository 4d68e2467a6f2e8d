// The test control of a server, as test suites call it.

export interface TestControl {
  /** Returns to the state at the start: data, clock, no faults, no recorded requests. */
  reset(): Promise<void>
  /** Keeps the data under a name, for `restore`. */
  save(name: string): Promise<void>
  restore(name: string): Promise<void>
  /** Creates zones with records, as the API takes them, or with zone files. */
  seed(
    zones: readonly {
      readonly name: string
      readonly records?: readonly object[]
      readonly zone_file?: string
    }[],
  ): Promise<readonly { readonly id: string; readonly name: string }[]>
  /** Sets, advances, stops or starts the clock of the API. */
  setClock(change: {
    /** A timestamp like `2030-01-31T12:00:00Z`. */
    readonly now?: string
    readonly advance_seconds?: number
    readonly stopped?: boolean
  }): Promise<void>
  /** Orders a fault: which requests it hits, how often, and what they get. */
  addFault(order: {
    readonly method?: string
    /** `*` is one segment, `**` the rest: `/client/v4/zones/*`. */
    readonly path: string
    readonly status?: number
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
    readonly delay_ms?: number
    readonly disconnect?: boolean
    readonly times?: number
  }): Promise<void>
  removeFaults(): Promise<void>
  /** The last 1000 finished requests, oldest first. */
  requests(): Promise<
    readonly {
      readonly number: number
      readonly received_at: string
      readonly method: string
      readonly path: string
      readonly query: string
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
      readonly body: string
      readonly is_body_cut: boolean
      readonly status: number | null
      readonly fault_id: number | null
    }[]
  >
}

/** @param url undefined: the server has no test control, and every call says so. */
export function createTestControl(url: string | undefined, token: string): TestControl {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    if (url === undefined) throw new Error('start the server with control: true')
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const done = async (...args: Parameters<typeof call>): Promise<void> => void (await call(...args))
  return {
    reset: () => done('POST', '/reset'),
    save: (name) => done('POST', '/snapshots', { name }),
    restore: (name) => done('POST', `/snapshots/${encodeURIComponent(name)}/restore`),
    async seed(zones) {
      const reply = (await call('POST', '/seed', { zones })) as {
        readonly zones: Awaited<ReturnType<TestControl['seed']>>
      } // the reply of a seed
      return reply.zones
    },
    setClock: (change) => done('PUT', '/clock', change),
    addFault: (order) => done('POST', '/faults', order),
    removeFaults: () => done('DELETE', '/faults'),
    async requests() {
      const reply = (await call('GET', '/requests')) as {
        readonly requests: Awaited<ReturnType<TestControl['requests']>>
      } // the reply of the list
      return reply.requests
    },
  }
}
