// The client of `ptog lsp`: starts the server for .pto files, and passes the settings below "ptog" on.
const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function settings() {
  const { target, strict, run, delay } = workspace.getConfiguration('ptog');
  return { target, strict, run, delay };
}

async function start() {
  const command = workspace.getConfiguration('ptog').get('path') || 'ptog';
  client = new LanguageClient('ptog', 'ptogather', { command, args: ['lsp'] }, {
    documentSelector: [{ language: 'pto' }],
    initializationOptions: settings(),
    synchronize: { configurationSection: 'ptog' },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await window.showErrorMessage(`ptogather: cannot start '${command} lsp': ${error.message}`, 'Open settings');
    if (choice) commands.executeCommand('workbench.action.openSettings', 'ptog.path');
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(workspace.onDidChangeConfiguration(async (event) => {
    if (!event.affectsConfiguration('ptog.path')) return;
    await stop();
    await start();
  }));
  await start();
}

module.exports = { activate, deactivate: stop };
