// Why an update is rejected: the response code, and a message for the log.

export class UpdateRefusal extends Error {
  /** One of RCODE. */
  readonly rcode: number

  constructor(rcode: number, why: string) {
    super(why)
    this.name = 'UpdateRefusal'
    this.rcode = rcode
  }
}
