// What a handler gets of a request.
import type { Operation } from '@zonereeve/contract'
import type { Call } from './route.ts'

type Any = Call<Operation>

/** A class: an object literal with a getter would have a hidden class for each request (ADR 151). */
export class ReceivedCall implements Any {
  readonly params: Any['params']
  readonly query: Any['query']
  readonly body: Any['body']
  readonly ifMatch: Any['ifMatch']
  readonly lastEventId: Any['lastEventId']
  readonly caller: Any['caller']
  readonly actor: Any['actor']
  readonly client: Any['client']
  readonly #signalOnce: () => AbortSignal

  /** @param signalOnce makes the signal when it is first asked for. */
  constructor(
    sent: Pick<Any, 'params' | 'query' | 'body' | 'ifMatch' | 'lastEventId'>,
    sender: Pick<Any, 'caller' | 'actor' | 'client'>,
    signalOnce: () => AbortSignal,
  ) {
    this.params = sent.params
    this.query = sent.query
    this.body = sent.body
    this.ifMatch = sent.ifMatch
    this.lastEventId = sent.lastEventId
    this.caller = sender.caller
    this.actor = sender.actor
    this.client = sender.client
    this.#signalOnce = signalOnce
  }

  get signal(): AbortSignal {
    return this.#signalOnce()
  }
}
