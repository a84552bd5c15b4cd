/** What a stand-in of a module, or of an instance of a class, must have: all that is public, of the same types, but no private fields. */
export type StandIn<T> = {
  readonly [Name in keyof T]: T[Name] extends new (
    ...parameters: infer Parameters
  ) => infer Instance
    ? new (
        ...parameters: Parameters
      ) => StandIn<Instance>
    : T[Name];
};
