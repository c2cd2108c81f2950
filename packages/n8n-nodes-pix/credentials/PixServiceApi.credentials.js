exports.PixServiceApi = class PixServiceApi {
  name = 'pixServiceApi';
  displayName = 'Pix Service API';
  documentationUrl = '';
  properties = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://pix.example.com',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'A pk_test_… or pk_live_… key. The trigger needs one with the permission webhooks:manage.',
      required: true,
    },
  ];

  authenticate = { type: 'generic', properties: { headers: { 'X-API-Key': '={{$credentials.apiKey}}' } } };

  test = {
    request: {
      baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}',
      url: '/v1/payments',
      qs: { limit: 1 },
    },
  };
};
