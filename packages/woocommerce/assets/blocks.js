(() => {
  const { createElement } = window.wp.element;
  const { decodeEntities } = window.wp.htmlEntities;
  const { title, description, supports } = window.wc.wcSettings.getPaymentMethodData('pix_service', {});
  const label = decodeEntities(title) || 'Pix';
  const content = createElement('div', null, decodeEntities(description));
  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'pix_service',
    label: createElement('span', null, label),
    ariaLabel: label,
    content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: supports ?? ['products'] },
  });
})();
