"""The commands `orders`, `check` and `submit`: write your orders and seal them."""
