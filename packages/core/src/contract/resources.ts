/** Every resource of the specification: zod schema and type with the same name. */
export * from './deployer.ts'
export * from './envelope.ts'
export * from './snapshot.ts'
export * from './token.ts'
export * from './trader.ts'
