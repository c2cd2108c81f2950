import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { Pix } from '../packages/sdk/src/index.ts';
import { openApiDocument } from '../src/http/openapi/openapi.ts';

const { paths } = openApiDocument({ serverUrl: 'http://localhost:3000', rateLimitPerMinute: 100 });

/** As `POST /v1/payments/{id}/cancel`. */
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Ids are `1`, and what they name below is `2`. */
const templateOf = (url: string) =>
  new URL(url).pathname.replace(/\/1\b/, '/{id}').replace(/\/2$/, '/{documentId}');

test('the TypeScript client has every operation, once', async () => {
  const sent: string[] = [];
  const answer: typeof fetch = async (url, init) => {
    sent.push(`${init?.method} ${templateOf((url as URL).href)}`);
    return Response.json({ data: [] });
  };
  const pix = new Pix({ apiKey: 'pk_test_1', baseUrl: 'http://localhost:3000', fetch: answer });
  for (const noun of Object.values(pix))
    for (const method of Object.values<(...ids: string[]) => Promise<unknown> | AsyncIterable<unknown>>(
      noun,
    )) {
      const result = method('1', '2');
      if (Symbol.asyncIterator in result) for await (const _ of result);
      else await result;
    }
  expect(sent.toSorted()).toEqual(operations.toSorted());
});

test('the Python client has every operation, once', async () => {
  const code = `
import inspect, io, json, pix_service
sent = []
class Opener:
  def open(self, request, timeout):
    sent.append(f"{request.method} {request.full_url}")
    return io.BytesIO() if request.full_url.endswith("/stream") else io.BytesIO(b'{"data": []}')
pix_service._opener = Opener()
pix = pix_service.Pix("pk_test_1", "http://localhost:3000")
for name, method in inspect.getmembers(pix, inspect.ismethod):
  if not name.startswith("_"):
    required = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
    result = method(*["1", "2"][: len(required)])
    if inspect.isgenerator(result):
      list(result)
print(json.dumps(sent))`;
  const cwd = resolve(import.meta.dirname, '../packages/python');
  const { stdout } = await promisify(execFile)('python3', ['-B', '-c', code], { cwd });
  const sent = (JSON.parse(stdout) as string[]).map((each) => {
    const [method, url = ''] = each.split(' ');
    return `${method} ${templateOf(url)}`;
  });
  expect(sent.toSorted()).toEqual(operations.toSorted());
});

const isPhpThere = spawnSync('php', ['--version']).status === 0;
if (!isPhpThere) console.warn('php is missing: the operations of packages/php were not compared');

(isPhpThere ? test : test.skip)('the PHP client has every operation, once', async () => {
  const code = `
require 'autoload.php';
final class Recorder implements PixService\\Transport {
  public array $sent = [];
  public function send(string $method, string $url, array $headers, ?string $body): PixService\\Response {
    $this->sent[] = "$method $url";
    return new PixService\\Response(200, [], '{"data": []}');
  }
  public function stream(string $url, array $headers): iterable {
    $this->sent[] = "GET $url";
    return [];
  }
}
$recorder = new Recorder();
$pix = new PixService\\Pix('pk_test_1', 'http://localhost:3000', transport: $recorder);
foreach ((new ReflectionClass($pix))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
  if ($method->isConstructor() || $method->isStatic()) continue;
  $values = array_map(
    fn ($each) => ['array' => [], 'int|float' => 1][(string) $each->getType()] ?? (string) ($each->getPosition() + 1),
    array_slice($method->getParameters(), 0, $method->getNumberOfRequiredParameters()),
  );
  $result = $method->invokeArgs($pix, $values);
  if ($result instanceof Generator) iterator_to_array($result);
}
echo json_encode($recorder->sent);`;
  const cwd = resolve(import.meta.dirname, '../packages/php');
  const { stdout } = await promisify(execFile)('php', ['-r', code], { cwd });
  const sent = (JSON.parse(stdout) as string[]).map((each) => {
    const [method, url = ''] = each.split(' ');
    return `${method} ${templateOf(url)}`;
  });
  expect(sent.toSorted()).toEqual(operations.toSorted());
});
