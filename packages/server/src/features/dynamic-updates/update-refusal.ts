// Why an update is not done: the response code that says so, and words for the log.

export class UpdateRefusal extends Error {
  /** One of RCODE. */
  readonly rcode: number

  constructor(rcode: number, why: string) {
    super(why)
    this.name = 'UpdateRefusal'
    this.rcode = rcode
  }
}
