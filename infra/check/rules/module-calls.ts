import { type Finding, type Module, type ModuleCall, type Project, type Stack, snakeCase } from '../model.ts';

/**
 * Every use of a module gives what it needs and nothing that it does not know; every output that is read exists.
 */
export function moduleCalls({ bicep, terraform }: Project): Finding[] {
  return [bicep, terraform].flatMap((stack) => [
    ...Object.values(stack.modules).flatMap((module) => [
      ...module.calls.flatMap((call) => argumentsOf(stack, module, call)),
      ...outputsReadBy(stack, module),
    ]),
  ]);
}

const required = (parameters: Module['parameters']) =>
  Object.keys(parameters).filter((name) => parameters[name]?.default === undefined);

function argumentsOf(stack: Stack, { file }: Module, call: ModuleCall): Finding[] {
  const called = stack.modules[call.module];
  if (!called) return [{ file, message: `module ${call.symbol}: there is no module ${call.module}` }];
  const missing = required(called.parameters)
    .filter((name) => !(name in call.arguments))
    .map((name) => ({ file, message: `module ${call.symbol} is not given ${name}` }));
  const unknown = Object.keys(call.arguments)
    .filter((name) => !(name in called.parameters))
    .map((name) => ({ file, message: `module ${call.symbol} is given ${name}, which it does not know` }));
  return [...missing, ...unknown];
}

function outputsReadBy(stack: Stack, module: Module): Finding[] {
  const pattern =
    stack.name === 'bicep' ? /\b(\w+)\.(?:\?)?outputs\.(\w+)/g : /\bmodule\.(\w+)(?:\[0\])?\.(\w+)/g;
  // Where something was before is no reading of an output.
  const text = module.text.replace(/^moved \{\n[\s\S]*?^\}$/gm, '');
  return [...text.matchAll(pattern)].flatMap(([, symbol = '', output = '']) => {
    const call = module.calls.find((call) => call.symbol === snakeCase(symbol));
    const outputs = call ? stack.modules[call.module]?.outputs : undefined;
    if (outputs && snakeCase(output) in outputs) return [];
    return [{ file: module.file, message: `${symbol} has no output ${output}` }];
  });
}
