(tool/pay {:n 4})
